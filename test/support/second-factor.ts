import { TOTP } from "otpauth";
import { codeGoesOn } from "../fakes/wait.ts";
import { quicklySignedIn, type SignedIn } from "./signed-in.ts";
import type { World } from "./world.ts";

/** The code of an authenticator app, now or at another instant. */
export const codeAt = (secret: string, ms: number) => new TOTP({ secret }).generate({ timestamp: ms });
export const codeNow = (secret: string) => codeAt(secret, Date.now());

export interface WithTotp extends SignedIn {
  secret: string;
  recoveryCodes: string[];
}

/**
 * A person with an authenticator app. It was set up by the code of the step before, so that a test can use later codes.
 */
export async function withTotp(world: World): Promise<WithTotp> {
  const person = await quicklySignedIn(world);
  const rest = person.browser.console(null);
  const { secret } = (await rest.post("/second-factor", { action: "offerTotp" })).body;
  await codeGoesOn(3_000);
  const confirmed = await rest.post("/second-factor", {
    action: "confirmTotp",
    code: codeAt(secret, Date.now() - 30_000),
  });
  if (confirmed.status !== 200) throw new Error(`No second factor: ${confirmed.status}`);
  return { ...person, secret, recoveryCodes: confirmed.body.recoveryCodes };
}
