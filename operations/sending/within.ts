import { gatherer } from "../../mongo/gatherer.ts";
import type { Intent } from "./permit.ts";

/**
 * Collects the intents of sending operations that run inside a call, before each sends. They become part of the call's
 * plan and cost.
 */
export const { gather: gatherSends, add: noteSend } = gatherer<Intent>();
