let passwords: Promise<ReadonlySet<string>> | null = null;

/**
 * Returns about 50,000 frequently leaked passwords in lowercase. They are loaded on first use because they use 3 MB of
 * memory.
 */
export function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  passwords ??= importPasswords().catch((error: unknown) => {
    passwords = null;
    throw error;
  });
  return passwords;
}

async function importPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
