// Applies light, dark or the system's scheme to the page and every bell on it.

export type ThemeName = 'auto' | 'light' | 'dark'

export interface Theme {
  get(): ThemeName
  set(name: ThemeName): void
  /** Applies the scheme to this element from now on. */
  add(element: Element): void
}

const KEPT_AS = 'loam-theme'

export function startTheme(): Theme {
  const kept = localStorage.getItem(KEPT_AS)
  const followers = new Set<Element>()
  let current: ThemeName = kept === 'light' || kept === 'dark' ? kept : 'auto'

  function apply(): void {
    document.documentElement.dataset.theme = current
    for (const element of followers) element.setAttribute('theme', current)
  }
  apply()
  return {
    get: () => current,
    set(name) {
      current = name
      localStorage.setItem(KEPT_AS, name)
      apply()
    },
    add(element) {
      followers.add(element)
      apply()
    },
  }
}
