import { runHits } from "./hits-under-kills.ts";

runHits("small");
