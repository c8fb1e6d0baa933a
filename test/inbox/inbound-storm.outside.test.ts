import { runStorm } from "./storm.ts";

runStorm("full");
