import { gatherer } from "../../mongo/gatherer.ts";
import type { Intent } from "./permit.ts";

/**
 * Gathers what sending verbs that run within a call mean to send, each noted before it does: that is part of the call's
 * plan and cost.
 */
export const { gather: gatherSends, add: noteSend } = gatherer<Intent>();
