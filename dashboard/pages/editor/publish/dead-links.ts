// Finds links of a draft that lead nowhere, as far as the draft itself can tell.

import { type Draft, isObject, type Path, walkSteps } from '../../../editor/step-tree.ts'

export interface FoundLink {
  link: string
  path: Path
  isInMail: boolean
}

export interface DeadLink extends FoundLink {
  /** Follows "The link “…” ". */
  why: string
}

/** Fields that are one link. */
const LINK_FIELDS = new Set(['link', 'imageUrl'])
const HREF = /\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi
const MARKDOWN = /\]\(\s*<?([^)\s>]*)>?[^)]*\)/g
const OWN_MACHINE = /^https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0|[^/?#]*\.(?:local|localhost))(?=[:/?#]|\d|$)/i
const EXAMPLE = /^https?:\/\/(?:[^/?#]*\.)?(?:example\.(?:com|org|net)|[^/?#]*\.(?:example|test|invalid))(?=[:/?#]|$)/i

/** @returns the links that have no Liquid in them: others are known only with an event */
export function linksOf(draft: Draft): FoundLink[] {
  return walkSteps(draft).flatMap(({ step, path }) => {
    const { branches: _branches, then: _then, onTimeout: _onTimeout, ...own } = step
    const isInMail = step.type === 'email'
    return linksIn(own, path).flatMap((found) =>
      found.link.includes('{{') || found.link.includes('{%') ? [] : [{ ...found, isInMail }],
    )
  })
}

function linksIn(value: unknown, path: Path): { link: string; path: Path }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => linksIn(item, [...path, index]))
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => linksIn(inner, [...path, key]))
  if (typeof value !== 'string') return []
  const field = String(path.at(-1))
  if (LINK_FIELDS.has(field)) return [{ link: value, path }]
  if (field === 'html') return [...value.matchAll(HREF)].map(([, one, other]) => ({ link: one ?? other ?? '', path }))
  if (field !== 'markdown' && field !== 'body') return []
  return [...value.matchAll(MARKDOWN)].map(([, link = '']) => ({ link, path }))
}

/** @param siteUrl where paths in mails begin; null: nowhere */
export function deadLinksOf(draft: Draft, siteUrl: string | null): DeadLink[] {
  return linksOf(draft).flatMap((found) => {
    const why = whyDead(found, siteUrl)
    return why === undefined ? [] : [{ ...found, why }]
  })
}

function whyDead({ link, isInMail }: FoundLink, siteUrl: string | null): string | undefined {
  const text = link.trim()
  if (text === '' || text === '#') return 'leads nowhere'
  if (OWN_MACHINE.test(text)) return 'leads to the reader’s own machine'
  if (EXAMPLE.test(text)) return 'leads to an address for examples'
  const isPath = text.startsWith('/') && !text.startsWith('//')
  return isPath && isInMail && siteUrl === null
    ? 'is a path, and no site is set at which paths of mails begin'
    : undefined
}
