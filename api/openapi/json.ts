export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectAt(value: unknown, name: string): Json {
  const inner = isObject(value) ? value[name] : undefined;
  return isObject(inner) ? inner : {};
}

export function requiredOf(schema: unknown): string[] {
  const names = isObject(schema) ? schema["required"] : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}
