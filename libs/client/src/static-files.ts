const STATIC_EXTENSION =
  /\.(?:avif|bmp|css|eot|gif|heic|ico|jpe?g|m?js|map|mp[34]|og[gv]|otf|png|svg|tiff?|ttf|wasm|wav|web[mp]|woff2?)$/i;
/** Matches folders from which frameworks and their development servers serve page assets. */
const ASSET_FOLDER = /^\/(?:_next|_nuxt|_astro|@vite|@fs|@id|node_modules)\//;

/** Returns true if a path is a page asset, such as a style sheet, script, image, font or media file. */
export function isStaticFile(path: string): boolean {
  const query = path.indexOf('?');
  const pathname = query === -1 ? path : path.slice(0, query);
  return STATIC_EXTENSION.test(pathname) || ASSET_FOLDER.test(pathname);
}
