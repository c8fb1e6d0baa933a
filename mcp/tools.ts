import { type Declaration, inOrder, TOOL_GROUPS, type ToolRow } from "../operations/declaration.ts";
import { declarations } from "../operations/declarations.ts";

interface ListedTool {
  name: string;
  group: string;
  tool: ToolRow;
}

/** The tools of all declarations by group, in the order in which they are listed. */
export const tools: readonly ListedTool[] = TOOL_GROUPS.flatMap((group) => {
  const declared = declarations.map(({ tools }: Declaration) =>
    Object.entries(tools?.[group] ?? {}).map(([name, tool]): ListedTool => ({ name, group, tool })),
  );
  return inOrder(
    declared,
    ({ name }) => name,
    ({ tool }) => tool.after,
  );
});
