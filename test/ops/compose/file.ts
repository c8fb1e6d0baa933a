import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const texts = z.array(z.string()).default([]);
const Service = z.looseObject({
  image: z.string(),
  user: z.string().optional(),
  read_only: z.boolean().default(false),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  networks: texts,
  secrets: texts,
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  volumes: texts,
  tmpfs: texts,
  ports: texts,
  profiles: texts,
  restart: z.string().default("no"),
  stop_grace_period: z.string().default("10s"),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
});
const File = z.object({ file: z.string() });
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) })),
  secrets: z.record(z.string(), File),
  configs: z.record(z.string(), File),
});

export type Service = z.output<typeof Service>;
export type Compose = z.output<typeof Compose>;

/** docker-compose.yml with the variables of `.env` put in. Throws an Error if a variable is missing that it demands. */
export function readCompose(variables: Readonly<Record<string, string>>): Compose {
  const text = readFileSync("docker-compose.yml", "utf8");
  return Compose.parse(filled(parse(text, { merge: true }), variables));
}

function filled(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") return fill(value, variables);
  if (Array.isArray(value)) return value.map((one) => filled(one, variables));
  if (typeof value !== "object" || value === null) return value ?? {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, variables)]));
}

/** The forms of the Compose Specification that the file uses: `$$`, `${A}`, `${A:-b}`, `${A:+b}` and `${A:?b}`. */
function fill(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\{(\w+)(?::([-+?])([^}]*))?\}/g, (whole, name: string, form?: string, other = "") => {
    if (whole === "$$") return "$";
    const value = variables[name] ?? "";
    if (form === "+") return value === "" ? "" : other;
    if (value !== "") return value;
    if (form === "?") throw new Error(`${name} is missing: ${other}`);
    return form === "-" ? other : "";
  });
}
