import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { z } from "zod";

const { engines } = z
  .looseObject({ engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const NODE = Number(/\d+/.exec(engines.node)?.[0]);
const FORMS = ".github/ISSUE_TEMPLATE";

const Workflow = z.looseObject({
  jobs: z.record(
    z.string(),
    z.looseObject({
      steps: z.array(z.looseObject({ run: z.string().optional(), with: z.looseObject({}).optional() })),
    }),
  ),
});
const Form = z.looseObject({
  name: z.string(),
  description: z.string(),
  body: z.array(
    z.looseObject({
      type: z.enum(["markdown", "textarea", "input", "dropdown", "checkboxes"]),
      id: z.string().optional(),
    }),
  ),
});

test("the pull request workflow runs `.ci/run` with the Node version of package.json", () => {
  const { jobs } = Workflow.parse(parse(readFileSync(".github/workflows/test.yml", "utf8")));
  const steps = Object.values(jobs).flatMap(({ steps }) => steps);
  const commands = steps.flatMap(({ run }) => run ?? []);
  expect(commands).toContain(".ci/run");
  expect(existsSync(".ci/run")).toBe(true);
  expect(steps.flatMap((step) => step.with?.["node-version"] ?? [])).toEqual([NODE]);
});

test("the dev container has the Node version of package.json", () => {
  const { image } = z
    .looseObject({ image: z.string() })
    .parse(JSON.parse(readFileSync(".devcontainer/devcontainer.json", "utf8")));
  expect(image).toContain(`:${NODE}-`);
});

test("each issue form has a name, a description and fields with unique ids", () => {
  const forms = readdirSync(FORMS).filter((name) => name !== "config.yml");
  expect(forms.length).toBeGreaterThan(1);
  for (const form of forms) {
    const { body } = Form.parse(parse(readFileSync(`${FORMS}/${form}`, "utf8")));
    const ids = body.filter(({ type }) => type !== "markdown").map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(undefined);
  }
});
