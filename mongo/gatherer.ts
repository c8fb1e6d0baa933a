import { AsyncLocalStorage } from "node:async_hooks";

/** A list to which all code within a piece of work can add. What is added outside of such work is dropped. */
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
