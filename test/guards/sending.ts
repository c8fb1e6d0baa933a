import type { Guard } from "./guard.ts";

export const SENDING: Guard[] = [];
