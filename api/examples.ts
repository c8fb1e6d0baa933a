import { CHAPTERS, type Declaration, type Example } from "../operations/declaration.ts";
import { declarations } from "../operations/declarations.ts";

/** The examples of all declarations, chapter by chapter. */
export const examples: readonly Example[] = CHAPTERS.flatMap((chapter) =>
  declarations.flatMap(({ examples }: Declaration) => examples?.[chapter] ?? []),
);
