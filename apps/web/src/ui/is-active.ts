export const isActive = (
  { revoked_at: revokedAt, expires_at: expiresAt }: { revoked_at: string | null; expires_at: string | null },
  now = Date.now(),
): boolean => revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
