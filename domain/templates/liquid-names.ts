import { type Template, type Token, TypeGuards, toValueSync, Value } from "liquidjs";

/**
 * The names of the variables that templates read, also in conditions and filter arguments, in the author's spelling and
 * order. Names that `assign` and `capture` define are left out. It runs in linear time; the library's own analysis does
 * not.
 */
export function namesIn(templates: Template[]): string[] {
  const names = new Set<string>();
  const locals = new Set<string>();
  for (const left = [...templates].reverse(); left.length > 0; ) {
    const template = left.pop();
    if (!template) break;
    for (const argument of template.arguments?.() ?? []) for (const token of tokensOf(argument)) collect(token, names);
    for (const { content } of template.localScope?.() ?? []) locals.add(content);
    const children: Template[] = template.children ? toValueSync(template.children(false, true)) : [];
    left.push(...children.toReversed());
  }
  return [...names].filter((name) => !locals.has(name));
}

function tokensOf(argument: Value | Token): Token[] {
  if (!(argument instanceof Value)) return [argument];
  const filterArguments = argument.filters.flatMap(({ args }) =>
    args.map((arg) => (Array.isArray(arg) ? arg[1] : arg)),
  );
  return [...argument.initial.postfix, ...filterArguments].filter((token) => token !== undefined);
}

function collect(token: Token, names: Set<string>): void {
  if (!TypeGuards.isPropertyAccessToken(token)) return;
  names.add(token.props.map((prop) => ("content" in prop ? String(prop.content) : "*")).join("."));
  for (const prop of token.props) collect(prop, names);
}
