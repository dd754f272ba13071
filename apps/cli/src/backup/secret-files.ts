/** Files in `DATA_DIR` with keys and passwords that a restored instance needs in addition to the database. */
export const SECRET_FILES = ['secret-key', 'secret-key-previous', 'api-key', 'postgres-password'] as const;
