import { runSends } from "./sends-under-kills.ts";

runSends("small");
