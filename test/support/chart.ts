import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { settings } from "../../config.ts";

/** The Helm chart, as the tests see it. */
export const CHART = "ops/helm/outreach";
export const CHART_SCHEMA = `${CHART}/values.schema.json`;

/** Settings that the chart sets itself, and settings of embedded servers, which no pod starts. */
const FIXED =
  /^(HOST|PORT|DATA_DIR|MONGOD_.*|TEMPORAL_(?!UI_URL$).*|(API_)?METRICS_(HOST|PORT)|WORKER_QUEUES|EXTRA_CA_FILE)$/;
/** Settings that may be only in secrets, because others can read a Deployment. */
const SECRET = /SECRET(?!_EXPIRES$)|_KEY$|CREDENTIALS$|SERVICE_ACCOUNT$|^SYSTEM_SMTP_URL$|^MONGODB_URI$/;

/** The names that the chart accepts as plain settings and as settings in secrets. */
export function chartSettings(): { plain: string[]; secret: string[] } {
  const secret = Object.keys(settings.shape).filter((name) => !FIXED.test(name));
  return { plain: secret.filter((name) => !SECRET.test(name)), secret };
}

const Schema = z.looseObject({
  $defs: z.looseObject({ plainSetting: z.object({ enum: z.array(z.string()) }), secretSetting: z.looseObject({}) }),
});

/** The schema of the chart's values as config.ts has the settings now. */
export function chartSchema(): string {
  const schema = Schema.parse(JSON.parse(readFileSync(CHART_SCHEMA, "utf8")));
  const { plain, secret } = chartSettings();
  const $defs = { ...schema.$defs, plainSetting: { enum: plain }, secretSetting: { enum: secret } };
  return `${JSON.stringify({ ...schema, $defs }, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(CHART_SCHEMA, chartSchema());
