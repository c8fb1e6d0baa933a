import type { Guard } from "./guard.ts";

export const DOORS: Guard[] = [];
