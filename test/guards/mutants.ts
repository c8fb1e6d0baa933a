import { parseSync } from "vite";

/** A change of one place that a good test notices. */
export interface Mutant {
  file: string;
  line: number;
  /** The change, in a few words. */
  what: string;
  start: number;
  end: number;
  instead: string;
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const OFF_BY_ONE: Record<string, string> = { ">=": ">", ">": ">=", "<=": "<", "<": "<=" };

/**
 * The mutants of a source file: conditions negated, `and` for `or`, early returns and throws dropped, limits off by
 * one, awaited calls dropped, transactions removed. Conditions of loops stay, since a loop without end shows nothing.
 */
export function mutantsOf(file: string, text: string): Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`);
  const found: Mutant[] = [];
  const add = (node: Node, what: string, instead: string) => {
    const line = text.slice(0, node.start).split("\n").length;
    found.push({ file, line, what, start: node.start, end: node.end, instead });
  };
  const textOf = ({ start, end }: Node) => text.slice(start, end);
  walk(program, (node) => {
    if (node.type === "IfStatement") {
      const [test, consequent] = [nodeIn(node, "test"), nodeIn(node, "consequent")];
      add(test, "condition negated", `!(${textOf(test)})`);
      const leaves = consequent.type === "BlockStatement" ? listIn(consequent, "body")[0] : consequent;
      if (leaves !== undefined && /^(Return|Throw)Statement$/.test(leaves.type) && node["alternate"] === null)
        add(node, leaves.type === "ThrowStatement" ? "throw dropped" : "return dropped", "");
    }
    if (node.type === "ConditionalExpression")
      add(nodeIn(node, "test"), "condition negated", `!(${textOf(nodeIn(node, "test"))})`);
    if (node.type === "LogicalExpression" && node["operator"] !== "??") {
      const other = node["operator"] === "&&" ? "||" : "&&";
      add(
        node,
        `${node["operator"]} becomes ${other}`,
        `(${textOf(nodeIn(node, "left"))}) ${other} (${textOf(nodeIn(node, "right"))})`,
      );
    }
    if (node.type === "BinaryExpression") {
      const off = OFF_BY_ONE[String(node["operator"])];
      if (off !== undefined)
        add(
          node,
          `${node["operator"]} becomes ${off}`,
          `${textOf(nodeIn(node, "left"))} ${off} ${textOf(nodeIn(node, "right"))}`,
        );
    }
    if (node.type === "CallExpression") {
      const [callee, [work]] = [nodeIn(node, "callee"), listIn(node, "arguments")];
      if (textOf(callee) === "inTransaction" && work !== undefined)
        add(node, "transaction removed", `(${textOf(work)})()`);
    }
    if (node.type === "ExpressionStatement" && nodeIn(node, "expression").type === "AwaitExpression")
      add(node, "call dropped", "");
  });
  return found;
}

/** The text of the file with the mutant in it. */
export function mutated({ start, end, instead }: Mutant, text: string): string {
  return text.slice(0, start) + instead + text.slice(end);
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) walk(one, visit);
  if (!isNode(value)) return;
  visit(value);
  for (const [key, inner] of Object.entries(value)) {
    const isLoop = key === "test" && /^(While|DoWhile|For)Statement$/.test(value.type);
    if (!isLoop) walk(inner, visit);
  }
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && "type" in value && "start" in value && typeof value.type === "string"
  );
}

function nodeIn(node: Node, key: string): Node {
  const inner = node[key];
  if (!isNode(inner)) throw new Error(`${node.type} has no ${key}`);
  return inner;
}

function listIn(node: Node, key: string): Node[] {
  const inner = node[key];
  return Array.isArray(inner) ? inner.filter(isNode) : [];
}
