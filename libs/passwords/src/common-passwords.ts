let loaded: Promise<ReadonlySet<string>> | null = null;

/** Some 50,000 passwords that leaked often, in lower case. Loaded once, when first asked for: it takes 3 MB. */
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
