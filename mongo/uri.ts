/** The parts of a MONGODB_URI. It may name several servers with their ports, so it is no URL to the language. */
export interface MongodbUri {
  isSrv: boolean;
  /** The servers that it names, as `host` or `host:port`. */
  servers: string[];
  /** Null when it names none. */
  database: string | null;
  options: URLSearchParams;
}

// The login may contain an unescaped "@", and no part of it may be taken for a server
const FORM = /^mongodb(\+srv)?:\/\/(?:[^/]*@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/;

export function readMongodbUri(uri: string): MongodbUri {
  const [, srv, servers = "", database = "", options] = FORM.exec(uri) ?? [];
  return {
    isSrv: srv !== undefined,
    servers: servers.split(",").filter(Boolean),
    database: database === "" ? null : decoded(database),
    options: new URLSearchParams(options),
  };
}

/** A part that is not well encoded stays as it is: the driver refuses the URI. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
