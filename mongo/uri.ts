/** The parts of a MONGODB_URI. It may name several servers with their ports, so it is no URL to the language. */
export interface MongodbUri {
  isSrv: boolean;
  /** The servers that it names, as `host` or `host:port`. */
  servers: string[];
  /** Null when it names none. */
  database: string | null;
  options: URLSearchParams;
}

const FORM = /^mongodb(\+srv)?:\/\/(?:[^@/]*@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/;

export function readMongodbUri(uri: string): MongodbUri {
  const [, srv, servers = "", database = "", options] = FORM.exec(uri) ?? [];
  return {
    isSrv: srv !== undefined,
    servers: servers.split(",").filter(Boolean),
    database: database === "" ? null : decodeURIComponent(database),
    options: new URLSearchParams(options),
  };
}
