import { runManyPrograms } from "./many-programs.ts";

runManyPrograms("full");
