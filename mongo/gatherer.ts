import { AsyncLocalStorage } from "node:async_hooks";

/** A list to which whatever runs within a piece of work adds; outside of any, what is added is dropped. */
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
