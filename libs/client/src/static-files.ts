const EXTENSION =
  /\.(?:avif|bmp|css|eot|gif|heic|ico|jpe?g|m?js|map|mp[34]|og[gv]|otf|png|svg|tiff?|ttf|wasm|wav|web[mp]|woff2?)$/i;
/** Folders where frameworks and their development servers serve page assets. */
const FOLDER = /^\/(?:_next|_nuxt|_astro|@vite|@fs|@id|node_modules)\//;

/** Returns whether a path is a page asset: a style, script, image, font or media file. */
export function isStaticFile(path: string): boolean {
  const query = path.indexOf('?');
  const plain = query === -1 ? path : path.slice(0, query);
  return EXTENSION.test(plain) || FOLDER.test(plain);
}
