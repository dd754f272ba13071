/** scrypt with a salt of its own, in the form in which sign-ins check it. */
export async function hashPassword(password: string): Promise<string> {
  // Only here: what it comes with takes long to load.
  const { hashPassword: hash } = await import('better-auth/crypto');
  return hash(password);
}
