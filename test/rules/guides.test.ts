import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { signBody } from "../../domain/webhook-signature.ts";
import { isErrorGuideFresh } from "../support/error-guide.ts";
import { isFull } from "../support/how-often.ts";

const folder = mkdtempSync(join(tmpdir(), "outreach-guides-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
const LANGUAGES: Record<string, { program: string; file: string; more: string; args: (file: string) => string[] }> = {
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
/** Go compiles what it needs of its own library for a quarter of a minute. */
const isHere = ({ program }: { program: string }) =>
  program === "node" ||
  ((program !== "go" || isFull) && (process.env["PATH"] ?? "").split(delimiter).some((place) => existsSync(join(place, program))));
const [here, missing] = [true, false].map((wanted) => Object.keys(LANGUAGES).filter((name) => isHere(languageOf(name)) === wanted));

test.each(here ?? [])(
  "the webhook guide's verification in %s takes what is genuine and refuses everything else",
  (name) => {
    const { program, file, more, args } = languageOf(name);
    const [, snippet = ""] = new RegExp(`\`\`\`${name}\n([\\s\\S]*?)\`\`\``).exec(guide) ?? [];
    expect(snippet).not.toBe("");
    const text = name === "go" ? snippet.replace("import (", 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"') : snippet;
    writeFileSync(join(folder, file), `${text}\n${more}\n`);
    writeFileSync(join(folder, "cases.json"), JSON.stringify(CASES));
    const run = program === "node" ? process.execPath : program;
    const env = { ...process.env, HOME: folder, GOFLAGS: "-mod=mod", GOCACHE: join(folder, "go"), GO111MODULE: "off" };
    const said = execFileSync(run, [...args(join(folder, file)), join(folder, "cases.json")], { encoding: "utf8", env });
    expect(said.trim().split("\n")).toEqual(["true", "false", "false", "false", "false"]);
  },
  120_000,
);

if (missing !== undefined && missing.length > 0) {
  test.skip.each(missing)(
    "the webhook guide's verification in %s: the language is not on this machine, or takes long (KILLS=full)",
    () => {},
  );
}

test("the guide on errors has every code of the table with its text: npm run docs", () => {
  expect(isErrorGuideFresh()).toBe(true);
});

function languageOf(name: string) {
  const language = LANGUAGES[name];
  if (language === undefined) throw new Error(`No language is called ${name}`);
  return language;
}
