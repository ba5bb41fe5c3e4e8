// Keeps drafts that are not saved yet in this browser, so that a closed page, a lost connection or a fault loses nothing.

import { createStore, del, get, set } from 'idb-keyval'
import type { Draft } from './step-tree.ts'

export interface KeptDraft {
  /** What the server had when the edits began. */
  base: Draft
  revision: number
  draft: Draft
}

export interface KeptDrafts {
  read(): Promise<KeptDraft | undefined>
  keep(kept: KeptDraft): Promise<void>
  forget(): Promise<void>
}

/** @param name of the draft in this browser: its person and its campaign. None of the functions rejects. */
export function openKeptDrafts(name: string): KeptDrafts {
  const store = createStore('nc-dashboard', 'drafts')
  // A browser that keeps nothing, such as in a private window, edits without it.
  const attempt = <T>(work: Promise<T>) => work.catch(() => undefined)
  return {
    read: () => attempt(get<KeptDraft>(name, store)),
    keep: (kept) => attempt(set(name, kept, store)),
    forget: () => attempt(del(name, store)),
  }
}
