import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "@jest/globals";
import { signBody } from "../../domain/webhook-signature.ts";

const SECRET = "whsec_c2VjcmV0";
const BODY = '{"event":"TEST","data":{"ok":true,"name":"Zoë"},"timestamp":"2026-03-02T09:00:00.000Z"}';
const GENUINE = signBody(SECRET, Buffer.from(BODY));
const CASES = [
  { body: BODY, header: GENUINE, secret: SECRET },
  { body: `${BODY} `, header: GENUINE, secret: SECRET },
  { body: BODY, header: GENUINE, secret: "whsec_b3RoZXI=" },
  { body: BODY, header: `sha256=${createHmac("sha256", "").update(BODY).digest("hex")}`, secret: SECRET },
  { body: BODY, header: "", secret: SECRET },
];

/** How a snippet of the guide is run: it gets the cases by a file and prints one word for each. */
export const LANGUAGES: Record<
  string,
  { program: string; file: string; more: string; args: (file: string) => string[] }
> = {
  js: {
    program: "node",
    file: "check.mjs",
    more: `import { readFileSync } from "node:fs";
for (const { body, header, secret } of JSON.parse(readFileSync(process.argv[2]))) console.log(isGenuine(Buffer.from(body), header, secret));`,
    args: (file) => [file],
  },
  python: {
    program: "python3",
    file: "check.py",
    more: `import json, sys
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    print(str(is_genuine(case["body"].encode(), case["header"], case["secret"])).lower())`,
    args: (file) => [file],
  },
  php: {
    program: "php",
    file: "check.php",
    more: `foreach (json_decode(file_get_contents($argv[1]), true) as $case) {
    echo is_genuine($case['body'], $case['header'], $case['secret']) ? "true\\n" : "false\\n";
}`,
    args: (file) => [file],
  },
  go: {
    program: "go",
    file: "check.go",
    more: `type Case struct{ Body, Header, Secret string }

func main() {
	text, _ := os.ReadFile(os.Args[1])
	var cases []Case
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	for _, one := range cases {
		fmt.Println(isGenuine([]byte(one.Body), one.Header, one.Secret))
	}
}`,
    args: (file) => ["run", file],
  },
  ruby: {
    program: "ruby",
    file: "check.rb",
    more: `require "json"
JSON.parse(File.read(ARGV[0], encoding: "UTF-8")).each { |one| puts genuine?(one["body"], one["header"], one["secret"]) }`,
    args: (file) => [file],
  },
};

const guide = readFileSync("docs/guides/webhooks.md", "utf8");

/** Whether this machine can run the language. */
export function isInstalled(name: string): boolean {
  const { program } = languageOf(name);
  return (
    program === "node" || (process.env["PATH"] ?? "").split(delimiter).some((place) => existsSync(join(place, program)))
  );
}

/** Runs the guide's snippet over one genuine delivery and four forged ones. */
export function expectVerification(name: string): void {
  const { program, file, more, args } = languageOf(name);
  const [, snippet = ""] = new RegExp(`\`\`\`${name}\n([\\s\\S]*?)\`\`\``).exec(guide) ?? [];
  expect(snippet).not.toBe("");
  const folder = mkdtempSync(join(tmpdir(), "outreach-guides-"));
  try {
    const text = name === "go" ? snippet.replace("import (", 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"') : snippet;
    writeFileSync(join(folder, file), `${text}\n${more}\n`);
    writeFileSync(join(folder, "cases.json"), JSON.stringify(CASES));
    const run = program === "node" ? process.execPath : program;
    const env = { ...process.env, HOME: folder, GOFLAGS: "-mod=mod", GOCACHE: join(folder, "go"), GO111MODULE: "off" };
    const said = execFileSync(run, [...args(join(folder, file)), join(folder, "cases.json")], {
      encoding: "utf8",
      env,
    });
    expect(said.trim().split("\n")).toEqual(["true", "false", "false", "false", "false"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function languageOf(name: string) {
  const language = LANGUAGES[name];
  if (language === undefined) throw new Error(`No language is called ${name}`);
  return language;
}
