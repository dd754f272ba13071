import { use, type ComponentType } from 'react';

/**
 * Returns a component of a file that is being fetched, for within a `Suspense`. It is there at once where the file is: of
 * `lazy`, React shows the fallback even then, and for 300 ms at least.
 */
export function prefetched<Props extends object>(file: Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const loading = file.then((component) => (Loaded = component));
  return function Prefetched(props: Props) {
    const Component = Loaded ?? use(loading);
    return <Component {...props} />;
  };
}
