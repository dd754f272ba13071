/** SQL expression for the client address in the visit tables, as in `visits_full`. */
export const CLIENT_ADDRESS = `(CASE WHEN form IS NULL THEN document ->> 'client_address' ELSE document ->> 0 END)`;
