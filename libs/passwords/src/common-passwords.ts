let loaded: Promise<ReadonlySet<string>> | null = null;

/**
 * Returns about 50,000 frequently leaked passwords, in lower case. Loads them on first use, because they use 3 MB of
 * memory.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= load().catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
