import { runStorm } from "./storm.ts";

runStorm("small");
