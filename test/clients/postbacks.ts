import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { z } from "zod";
import { runTool } from "./tools.ts";

/** The functions of docs/guides/conversions.md by which a customer's server reports, taken out of the guide and run. */
const GUIDE = readFileSync(new URL("../../docs/guides/conversions.md", import.meta.url), "utf8");

export interface Postback {
  url: string;
  cid: string;
  name: string;
  id: string;
  email?: string;
  value?: number;
  currency?: string;
}

interface Language {
  program: string;
  file: string;
  /**
   * Follows the function: it takes the cases from a file and prints a line of JSON for each, its result or null when
   * the function failed.
   */
  more: string;
  args?: string[];
}

const LANGUAGES: Record<string, Language> = {
  js: {
    program: "node",
    file: "report.mjs",
    more: `import { readFileSync } from "node:fs";
for (const { url, ...one } of JSON.parse(readFileSync(process.argv[2]))) {
  console.log(JSON.stringify(await reportConversion(url, one).catch(() => null)));
}`,
  },
  python: {
    program: "python3",
    file: "report.py",
    more: `import sys
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    try:
        print(json.dumps(report_conversion(case.pop("url"), **case)))
    except OSError:
        print("null")`,
  },
  php: {
    program: "php",
    file: "report.php",
    more: `foreach (json_decode(file_get_contents($argv[1]), true) as $case) {
    $url = $case['url'];
    unset($case['url']);
    try {
        echo json_encode(report_conversion($url, ...$case)), "\\n";
    } catch (RuntimeException $failed) {
        echo "null\\n";
    }
}`,
  },
  ruby: {
    program: "ruby",
    file: "report.rb",
    more: `JSON.parse(File.read(ARGV[0], encoding: "UTF-8"), symbolize_names: true).each do |one|
  url = one.delete(:url)
  puts JSON.generate(report_conversion(url, **one))
rescue RuntimeError
  puts "null"
end`,
  },
  go: {
    program: "go",
    file: "report.go",
    args: ["run"],
    more: `type Case struct {
	Conversion
	URL string
}

func main() {
	text, _ := os.ReadFile(os.Args[1])
	var cases []Case
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	for _, one := range cases {
		result, err := reportConversion(one.URL, one.Conversion)
		if err != nil {
			fmt.Println("null")
			continue
		}
		line, _ := json.Marshal(result)
		fmt.Println(string(line))
	}
}`,
  },
};

export const POSTBACK_LANGUAGES = Object.keys(LANGUAGES);

/** Null when the language is on this machine, else what is missing. */
export function missingOf(language: string): string | null {
  const { program } = languageOf(language);
  const isHere =
    program === "node" ||
    (process.env["PATH"] ?? "").split(delimiter).some((place) => existsSync(join(place, program)));
  return isHere ? null : `${program} is not on this machine`;
}

const Line = z.object({ event_id: z.string(), status: z.string(), reason: z.string().nullish() }).nullable();

/** What the guide's function in this language returned for each of these; null where it failed. */
export async function report(language: string, cases: readonly Postback[]): Promise<z.infer<typeof Line>[]> {
  const { program, file, more, args = [] } = languageOf(language);
  const snippet = GUIDE.split("## From your server")[1]?.split(`\`\`\`${language}\n`)[1]?.split("```")[0];
  if (snippet === undefined) throw new Error(`The guide has nothing in ${language}`);
  const folder = await mkdtemp(join(tmpdir(), "outreach-postback-"));
  try {
    const text = language === "go" ? snippet.replace('"net/http"', '"net/http"\n\t"os"') : snippet;
    await writeFile(join(folder, file), `${text}\n${more}\n`);
    await writeFile(join(folder, "cases.json"), JSON.stringify(cases));
    const said = await runTool(program === "node" ? process.execPath : program, [...args, file, "cases.json"], folder, {
      GO111MODULE: "off",
    });
    return said
      .trim()
      .split("\n")
      .map((line) => Line.parse(JSON.parse(line)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function languageOf(name: string): Language {
  const language = LANGUAGES[name];
  if (language === undefined) throw new Error(`No language is called ${name}`);
  return language;
}
