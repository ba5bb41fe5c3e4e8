// Serves the path of PUBLIC_URL: requests below it are those of the root, for proxies that keep the path. Others come from
// proxies that remove it, from probes, and from this machine.

/** @returns The path of an address without a slash at its end; empty for none. */
export function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')
}

/** @returns The target without the base path; a target elsewhere unchanged. */
export function removeBasePath(target: string, basePath: string): string {
  if (!target.startsWith(basePath)) return target
  const rest = target.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : target
}
