import type { Guard } from "./guard.ts";

export const READING: Guard[] = [];
