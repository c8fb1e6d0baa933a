import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runTool } from "../../clients/tools.ts";
import { type Compose, readCompose, type Service } from "./file.ts";
import { type Image, makeImages } from "./images.ts";

/**
 * Runs the services of docker-compose.yml as plain processes, with the commands, variables, secrets, volumes, users,
 * networks and dependencies of the file. Each has a network, a file system and a host name of its own, made with the
 * tools of Linux, so it needs root. Not shown are memory limits, logging, `init`, and the images themselves.
 */
export interface Topology {
  compose: Compose;
  /** `docker compose up -d --wait`: starts what does not run yet, each after its dependencies. */
  up(variables?: Readonly<Record<string, string>>): Promise<void>;
  /** `docker compose stop` */
  stop(...services: string[]): Promise<void>;
  /** `docker compose run --rm`: a further container of the service with another command. Resolves with its output. */
  run(service: string, command: string[]): Promise<string>;
  /** `docker compose exec -T` */
  exec(service: string, command: string[]): Promise<string>;
  /** The folder of a volume. */
  volume(name: string): string;
  /** Makes a port of this machine reachable from the networks that lead outside, and returns the address there. */
  offer(port: number): Promise<string>;
  /** The output of a service so far, all its starts together. */
  log(service: string): string;
  close(): Promise<void>;
}

const USERS: Record<string, number> = { root: 0, node: 1_000, mongodb: 2_001, postgres: 2_002, temporal: 1_001 };
const PREFIX = "otc";
const PATIENCE_MS = 600_000;
const MOST_RESTARTS = 10;

interface Container {
  name: string;
  child: ChildProcess;
  service: Service;
  wrap: string[];
  ended: Promise<number>;
  /** What listens on the ports of this machine for it. */
  published: Server[];
}

/** `hosts`: further names that the outside networks know, all of them this machine. */
export async function startTopology(first: Readonly<Record<string, string>>, hosts: string[]): Promise<Topology> {
  const home = await mkdtemp(join(tmpdir(), "outreach-compose-"));
  await runTool("chmod", ["755", home], ".");
  const imageOf = await makeImages(join(home, "images"));
  await runTool("sh", ["ops/secrets.sh", join(home, "secrets")], ".");
  let variables = first;
  let compose = readCompose(variables);
  const bridges = new Map(Object.keys(compose.networks).map((name, index) => [name, new Bridge(name, index)]));
  for (const bridge of bridges.values()) await bridge.make(compose.networks[bridge.name]?.internal === true);
  const running = new Map<string, Container>();
  const logs = new Map<string, string>();
  const servers: Server[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size + 10);
    return numbers.get(name) ?? 0;
  };

  async function start(name: string, service: Service, given?: string[]): Promise<Container> {
    const { program, wrap } = await prepare(name, service, given);
    const child = spawn(program, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => logs.set(name, (logs.get(name) ?? "") + text));
    const ended = once(child, "exit").then(([code]: unknown[]) => (typeof code === "number" ? code : -1));
    return { name, child, service, wrap, ended, published: [] };
  }

  /** Writes the script that makes the container's networks and file system and then becomes its process. */
  async function prepare(
    name: string,
    service: Service,
    given?: string[],
  ): Promise<{ program: string; wrap: string[] }> {
    const image = imageOf(service.image);
    const number = numberOf(name);
    const space = `${PREFIX}-${name}`;
    await runTool("ip", ["netns", "add", space], ".").catch(() => "");
    await runTool("ip", ["-n", space, "link", "set", "lo", "up"], ".");
    for (const network of service.networks) await bridges.get(network)?.join(space, number);
    const names = service.networks.flatMap((network) => {
      const bridge = bridges.get(network);
      const peers = Object.entries(compose.services).filter(
        ([peer, other]) => peer !== name && other.networks.includes(network),
      );
      const inside = peers.map(([peer]) => `${bridge?.addressOf(numberOf(peer))} ${peer}`);
      return compose.networks[network]?.internal
        ? inside
        : [...inside, ...hosts.map((host) => `${bridge?.gateway} ${host}`)];
    });
    const own = service.networks.map((network) => `${bridges.get(network)?.addressOf(number)} ${name}`);
    const folder = join(home, "containers", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "hosts"), ["127.0.0.1 localhost", ...own, ...names, ""].join("\n"));
    // No name outside is known
    await writeFile(join(folder, "resolv.conf"), "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
    const users = Object.entries(USERS).map(([user, id]) => `${user}:x:${id}:${id}::/tmp:/bin/sh`);
    await writeFile(join(folder, "passwd"), `${users.join("\n")}\n`);
    const uid = String(userOf(service, image));
    const command = [
      ...(service.entrypoint ?? image.entrypoint),
      ...(given ?? service.command ?? (service.entrypoint === undefined ? image.command : [])),
    ];
    const rights = [
      "setpriv",
      `--reuid=${uid}`,
      `--regid=${uid}`,
      "--clear-groups",
      "--inh-caps=-all",
      "--bounding-set=-all",
      "--no-new-privs",
    ];
    const become = [
      ...rights,
      "env",
      "-i",
      ...environmentOf(image, service),
      "sh",
      "-c",
      'cd "$0" && exec "$@"',
      image.workdir,
    ];
    const mounts = [
      ...(await mountsOf(service, image)),
      ...["hosts", "resolv.conf", "passwd"].map((file) => ({ from: join(folder, file), to: `/etc/${file}` })),
    ];
    const program = join(folder, "start");
    await writeFile(program, scriptOf({ space, name, folder, service, mounts, command: [...become, ...command] }), {
      mode: 0o755,
    });
    return { program, wrap: become };
  }

  function environmentOf(image: Image, { environment }: Service): string[] {
    const path = `/opt/programs:${image.environment["PATH"] ?? process.env["PATH"] ?? ""}`;
    const all = { ...image.environment, ...environment, PATH: path };
    return Object.entries(all).map(([key, value]) => `${key}=${value}`);
  }

  async function mountsOf(service: Service, image: Image): Promise<Mount[]> {
    const volumes = await Promise.all(
      service.volumes.map(async (text) => {
        const [from = "", to = "", mode] = text.split(":");
        if (from.startsWith(".") || from.startsWith("/")) return { from: resolve(from), to, isReadOnly: mode === "ro" };
        const folder = join(home, "volumes", from);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const uid = userOf(service, image);
        await chown(folder, uid, uid);
        return { from: folder, to };
      }),
    );
    const fileOf = (of: Compose["secrets"], key: string) => {
      const file = of[key]?.file ?? "";
      return file.startsWith("./secrets/") ? join(home, "secrets", basename(file)) : resolve(file);
    };
    return [
      { from: image.programs, to: "/opt/programs", isReadOnly: true },
      ...Object.entries(image.folders).map(([to, from]) => ({ from, to, isReadOnly: true })),
      ...service.secrets.map((key) => ({
        from: fileOf(compose.secrets, key),
        to: `/run/secrets/${key}`,
        isReadOnly: true,
      })),
      ...service.configs.map(({ source, target }) => ({
        from: fileOf(compose.configs, source),
        to: target,
        isReadOnly: true,
      })),
      ...volumes,
    ];
  }

  async function startWithDependencies(name: string, starting: Map<string, Promise<void>>): Promise<void> {
    const known = starting.get(name);
    if (known !== undefined) return known;
    const going = (async () => {
      const service = compose.services[name];
      if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
      await Promise.all(Object.keys(service.depends_on).map((other) => startWithDependencies(other, starting)));
      if (running.has(name)) return;
      const isTask = Object.values(compose.services).some(
        ({ depends_on }) => depends_on[name]?.condition === "service_completed_successfully",
      );
      if (isTask) return complete(name, service);
      const container = await start(name, service);
      running.set(name, container);
      await healthy(container);
      await publish(container);
    })();
    starting.set(name, going);
    return going;
  }

  async function complete(name: string, service: Service): Promise<void> {
    for (let tries = 0; tries <= MOST_RESTARTS; tries++) {
      if ((await (await start(name, service)).ended) === 0) return;
      if (!service.restart.startsWith("on-failure")) break;
      await sleep(1_000);
    }
    throw new Error(`${name} failed:\n${logs.get(name)}`);
  }

  async function healthy(container: Container): Promise<void> {
    const [kind, ...test] = container.service.healthcheck?.test ?? [];
    if (kind !== "CMD") return;
    const until = Date.now() + PATIENCE_MS;
    while (Date.now() < until) {
      if (container.child.exitCode !== null) break;
      if (
        await execIn(container, test).then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(1_000);
    }
    throw new Error(`${container.name} is not healthy:\n${(logs.get(container.name) ?? "").slice(-4_000)}`);
  }

  function execIn({ child, wrap }: Container, command: string[]): Promise<string> {
    const enter = ["--target", String(child.pid), "--mount", "--net", "--uts", "--root"];
    return runTool("nsenter", [...enter, ...wrap, ...command], ".");
  }

  /** `127.0.0.1:3000:3000` */
  async function publish({ name, service: { ports, networks }, published }: Container): Promise<void> {
    const network = networks.find((one) => compose.networks[one]?.internal !== true) ?? "";
    for (const text of ports) {
      const [host = "", port = "", inner = ""] = text.split(":");
      const address = bridges.get(network)?.addressOf(numberOf(name)) ?? "";
      published.push(await forward({ host, port: Number(port) }, { host: address, port: Number(inner) }));
    }
  }

  async function stop(name: string): Promise<void> {
    const container = running.get(name);
    if (container === undefined) return;
    running.delete(name);
    for (const server of container.published) server.close();
    container.child.kill("SIGTERM");
    const killed = setTimeout(
      () => container.child.kill("SIGKILL"),
      Number.parseInt(container.service.stop_grace_period, 10) * 1_000,
    );
    await container.ended;
    clearTimeout(killed);
  }

  const needed = () =>
    Object.entries(compose.services).flatMap(([name, { profiles }]) => (profiles.length === 0 ? [name] : []));
  return {
    get compose() {
      return compose;
    },
    async up(more = {}) {
      variables = { ...variables, ...more };
      compose = readCompose(variables);
      const starting = new Map<string, Promise<void>>();
      await Promise.all(needed().map((name) => startWithDependencies(name, starting)));
    },
    async stop(...names) {
      await Promise.all(names.map(stop));
    },
    async run(name, command) {
      const service = compose.services[name];
      if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
      const once = `${name}-run${numbers.size}`;
      const code = await (await start(once, { ...service, volumes: service.volumes }, command)).ended;
      if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${logs.get(once)}`);
      return logs.get(once) ?? "";
    },
    exec(name, command) {
      const container = running.get(name);
      return container === undefined ? Promise.reject(new Error(`${name} does not run`)) : execIn(container, command);
    },
    volume: (name) => join(home, "volumes", name),
    async offer(port) {
      const outside = [...bridges.values()].filter(({ name }) => compose.networks[name]?.internal !== true);
      for (const { gateway } of outside)
        servers.push(await forward({ host: gateway, port }, { host: "127.0.0.1", port }));
      return outside[0]?.gateway ?? "";
    },
    log: (name) => logs.get(name) ?? "",
    async close() {
      for (const server of servers) server.close();
      await Promise.all([...running.keys()].map((name) => stop(name)));
      for (const name of numbers.keys())
        await runTool("ip", ["netns", "delete", `${PREFIX}-${name}`], ".").catch(() => "");
      for (const bridge of bridges.values()) await bridge.remove();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A network of the file: a bridge, to which this machine belongs unless the network is internal. */
class Bridge {
  readonly name: string;
  readonly #net: string;
  readonly #device: string;
  #isInternal = true;

  constructor(name: string, index: number) {
    this.name = name;
    this.#net = `10.213.${index + 1}`;
    this.#device = `${PREFIX}${index}`;
  }

  get gateway(): string {
    return this.addressOf(1);
  }

  addressOf(number: number): string {
    return `${this.#net}.${number}`;
  }

  async make(isInternal: boolean): Promise<void> {
    this.#isInternal = isInternal;
    await this.remove();
    await runTool("ip", ["link", "add", this.#device, "type", "bridge"], ".");
    if (!isInternal) await runTool("ip", ["addr", "add", `${this.gateway}/24`, "dev", this.#device], ".");
    await runTool("ip", ["link", "set", this.#device, "up"], ".");
  }

  async join(space: string, number: number): Promise<void> {
    const [near, far] = [`${this.#device}n${number}`, `${this.#device}f${number}`];
    const isJoined = await runTool("ip", ["-n", space, "link", "show", far], ".").then(
      () => true,
      () => false,
    );
    if (isJoined) return;
    await runTool("ip", ["link", "add", near, "type", "veth", "peer", "name", far, "netns", space], ".");
    await runTool("ip", ["link", "set", near, "master", this.#device, "up"], ".");
    await runTool("ip", ["-n", space, "addr", "add", `${this.addressOf(number)}/24`, "dev", far], ".");
    await runTool("ip", ["-n", space, "link", "set", far, "up"], ".");
    if (!this.#isInternal) await runTool("ip", ["-n", space, "route", "replace", "default", "via", this.gateway], ".");
  }

  async remove(): Promise<void> {
    await runTool("ip", ["link", "delete", this.#device], ".").catch(() => "");
  }
}

function userOf({ user }: Service, image: Image): number {
  const id = USERS[user ?? image.user];
  if (id === undefined) throw new Error(`There is no user ${user}`);
  return id;
}

interface Mount {
  from: string;
  to: string;
  isReadOnly?: boolean;
}

interface Script {
  space: string;
  name: string;
  folder: string;
  service: Service;
  mounts: Mount[];
  command: string[];
}

/** Everything is a mount of the script's own namespace, so nothing is left when the process has ended. */
function scriptOf({ space, name, folder, service, mounts, command }: Script): string {
  const root = `${folder}/root`;
  const lines = [
    `hostname ${name}`,
    "mount --make-rprivate /",
    `mkdir -p ${root} && mount -t tmpfs none ${root} && mkdir ${root}/upper ${root}/work ${root}/all`,
    `mount -t overlay none -o lowerdir=/,upperdir=${root}/upper,workdir=${root}/work ${root}/all`,
    ...mounts.flatMap(({ from, to }) => {
      const place = `${root}/all${to}`;
      return [
        `[ -d ${from} ] && mkdir -p ${place} || { mkdir -p "$(dirname ${place})"; [ -e ${place} ] || touch ${place}; }`,
        `mount --bind ${from} ${place}`,
      ];
    }),
    // Only now, because a mount may lie in another one
    ...mounts.flatMap(({ to, isReadOnly }) => (isReadOnly ? [`mount -o remount,bind,ro ${root}/all${to}`] : [])),
    `mount --rbind /proc ${root}/all/proc && mount --rbind /dev ${root}/all/dev`,
    // Inside, because such a path may lead through a link
    ...service.tmpfs.map(
      (place) => `chroot ${root}/all sh -c "mkdir -p ${place} && mount -t tmpfs -o mode=1777 none ${place}"`,
    ),
    ...(service.read_only ? [`mount -o remount,ro ${root}/all`] : []),
    `exec chroot ${root}/all "$@"`,
  ];
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const inside = lines.join("\n").replaceAll("'", "'\\''");
  return `#!/bin/sh\nset -eu\nexec ip netns exec ${space} unshare --mount --uts sh -euc '${inside}' sh ${quoted}\n`;
}

interface Place {
  host: string;
  port: number;
}

async function forward(from: Place, to: Place): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(to);
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("error", () => other.destroy());
  });
  server.unref();
  await once(server.listen(from), "listening");
  return server;
}
