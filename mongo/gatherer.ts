import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Creates a list to which all code that runs within `gather` can add. Whatever is added outside of `gather` is dropped.
 */
export function gatherer<T>() {
  const gathering = new AsyncLocalStorage<T[]>();
  return {
    gather<R>(work: (gathered: readonly T[]) => Promise<R>): Promise<R> {
      const gathered: T[] = [];
      return gathering.run(gathered, () => work(gathered));
    },
    async add(one: T): Promise<void> {
      gathering.getStore()?.push(one);
    },
  };
}
