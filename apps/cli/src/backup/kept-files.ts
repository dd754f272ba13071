/** Files in `DATA_DIR`, besides the database, that a restored instance needs: keys and passwords. */
export const KEPT_FILES = ['secret-key', 'secret-key-previous', 'api-key', 'postgres-password'] as const;
