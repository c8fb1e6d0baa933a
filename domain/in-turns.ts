/** The items in such an order that their groups take turns. Within a group the order stays. */
export function inTurns<T>(items: readonly T[], groupOf: (item: T) => string): T[] {
  const places = new Map<string, number>();
  const turned = items.map((item) => {
    const group = groupOf(item);
    const place = places.get(group) ?? 0;
    places.set(group, place + 1);
    return { item, place };
  });
  return turned.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
