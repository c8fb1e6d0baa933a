import { runManyPrograms } from "./many-programs.ts";

runManyPrograms("small");
