import { useSyncExternalStore } from "react";

/** A value that components subscribe to, for state that belongs neither to the server nor to the URL or a form. */
export interface Signal<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function signalOf<T>(first: T): Signal<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useSignal<T>({ get, subscribe }: Signal<T>): T {
  return useSyncExternalStore(subscribe, get);
}
