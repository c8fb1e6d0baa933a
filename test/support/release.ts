import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

const CHANGELOG = "CHANGELOG.md";
const COMPOSE = "docker-compose.yml";
const CHART = "ops/helm/outreach/Chart.yaml";
const RELEASES = "docs/releases.md";
const HEAD_OF_TABLE = "| Version | Date | Commit |\n|---|---|---|\n";

/**
 * The two scripts that `npm version` calls (docs/releases.md). `cut` runs before the release is committed, `record`
 * after it was tagged: a commit cannot contain its own name.
 */
const steps: Record<string, (version: string, date: string) => void> = {
  cut(version, date) {
    const text = readFileSync(CHANGELOG, "utf8");
    const [head, unreleased = "", ...rest] = text.split(/^(?=## )/m);
    const changes = unreleased.replace(/^## Unreleased\n/, "").trim();
    if (!unreleased.startsWith("## Unreleased\n") || changes === "") {
      throw new Error(`Nothing is under "## Unreleased" in ${CHANGELOG}: there is nothing to release`);
    }
    if (rest.some((section) => section.startsWith(`## ${version} `)))
      throw new Error(`${CHANGELOG} already has a section ${version}`);
    writeFileSync(CHANGELOG, `${head}## Unreleased\n\n## ${version} (${date})\n\n${changes}\n\n${rest.join("")}`);
    const compose = readFileSync(COMPOSE, "utf8");
    writeFileSync(COMPOSE, compose.replaceAll(/image: outreach:\S+/g, `image: outreach:${version}`));
    const chart = readFileSync(CHART, "utf8");
    writeFileSync(CHART, chart.replaceAll(/^(version|appVersion): \S+$/gm, `$1: ${version}`));
    git("add", CHANGELOG, COMPOSE, CHART);
  },
  record(version, date) {
    const text = readFileSync(RELEASES, "utf8");
    if (!text.includes(HEAD_OF_TABLE)) throw new Error(`${RELEASES} has no table of releases`);
    const commit = git("rev-parse", "HEAD").trim();
    writeFileSync(RELEASES, text.replace(HEAD_OF_TABLE, `${HEAD_OF_TABLE}| ${version} | ${date} | ${commit} |\n`));
    git("commit", "--quiet", "--message", `docs: the commit of release ${version}`, RELEASES);
  },
};

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" });
}

const step = steps[process.argv[2] ?? ""];
if (step === undefined) throw new Error("Say `cut` or `record`");
const { version } = z.looseObject({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
step(version, new Date().toISOString().slice(0, 10));
