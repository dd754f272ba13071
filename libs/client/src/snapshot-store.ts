/** Snapshot as downloaded. It is verified each time it is used, so a store can't forge one. */
export interface StoredSnapshot {
  tag: string;
  manifest: string;
  content: string;
}

/** Stores a snapshot, so a new process doesn't have to download it. */
export interface SnapshotStore {
  /** Returns null if nothing is stored. */
  read(): Promise<StoredSnapshot | null>;
  write(snapshot: StoredSnapshot): Promise<void>;
}

/** Uses the Cache API of Cloudflare Workers and Deno. */
function createCacheStore(name: string, storage: CacheStorage): SnapshotStore {
  const url = `https://snapshots.agent-traffic.invalid/${name}`;
  return {
    async read() {
      const response = await (await storage.open('agent-traffic')).match(url);
      return response === undefined ? null : ((await response.json()) as StoredSnapshot);
    },
    async write(snapshot) {
      const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=3600' };
      await (await storage.open('agent-traffic')).put(url, new Response(JSON.stringify(snapshot), { headers }));
    },
  };
}

/** Uses a file in a folder that only the current user can access. */
function createFileStore(name: string, getBuiltinModule: NodeJS.Process['getBuiltinModule']): SnapshotStore {
  const { lstat, mkdir, readFile, rename, rm, writeFile } = getBuiltinModule('node:fs/promises');
  const { tmpdir } = getBuiltinModule('node:os');
  // Windows has no user IDs, and its temporary folder is private.
  const userId = process.getuid?.();
  const folder = `${tmpdir()}/agent-traffic-snapshots-${userId ?? 'user'}`;
  const file = `${folder}/${name}.json`;
  /** Other users could have created the folder, because its name is predictable. */
  const requirePrivateFolder = async (): Promise<void> => {
    const stats = await lstat(folder);
    const isPrivate = userId === undefined || (stats.uid === userId && (stats.mode & 0o077) === 0);
    if (!stats.isDirectory() || !isPrivate) throw new Error(`${folder} isn't a private folder`);
  };
  return {
    async read() {
      await requirePrivateFolder();
      return JSON.parse(await readFile(file, 'utf8')) as StoredSnapshot;
    },
    async write(snapshot) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await requirePrivateFolder();
      const temporaryFile = `${file}.${crypto.randomUUID()}`;
      try {
        await writeFile(temporaryFile, JSON.stringify(snapshot), { mode: 0o600, flag: 'wx' });
        await rename(temporaryFile, file);
      } finally {
        await rm(temporaryFile, { force: true });
      }
    },
  };
}

const NO_STORE: SnapshotStore = { read: async () => null, write: async () => undefined };

/**
 * Returns the store that the runtime provides: a file in Node.js and Bun, the Cache API in Workers and Deno, or none.
 *
 * @param key Text that identifies the project. Only its hash is stored.
 */
export async function createSnapshotStore(key: string): Promise<SnapshotStore> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)));
  const name = Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  try {
    return findStore(name);
  } catch {
    return NO_STORE;
  }
}

function findStore(name: string): SnapshotStore {
  const { caches } = globalThis as { caches?: CacheStorage };
  if (caches !== undefined) return createCacheStore(name, caches);
  const runtime = typeof process === 'undefined' ? undefined : process;
  // Edge runtimes of Next.js define `process` without built-in modules.
  if (runtime?.getBuiltinModule?.('node:fs/promises') === undefined) return NO_STORE;
  return createFileStore(name, (id: string) => runtime.getBuiltinModule(id) as never);
}

interface CacheStorage {
  open(name: string): Promise<{
    match(url: string): Promise<Response | undefined>;
    put(url: string, response: Response): Promise<void>;
  }>;
}
