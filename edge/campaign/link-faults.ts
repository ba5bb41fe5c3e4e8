// Finds links of a definition that no message may have: those without values, whose destination is known when it is saved.

import type { ErrorDetail } from '../../contract/errors.ts'
import { isImageLink, safeLink } from '../../contract/link.ts'
import { listRefused } from './expression/html-links.ts'
import { listDestinations } from './expression/markdown.ts'
import { isRecord } from './steps/step-type.ts'

const SENDS = new Set(['inbox', 'email'])
const MAX_FAULTS = 100
const SHOWN_CHARS = 200

/** @param schemes Of apps, that links may have. @returns a fault for each link that is refused, with its path */
export function findLinkFaults(definition: object, schemes: readonly string[]): ErrorDetail[] {
  const faults: ErrorDetail[] = []
  eachStep(definition, '', (step, path) => {
    for (const { path: place, link } of refusedOf(step, path, schemes)) {
      if (faults.length < MAX_FAULTS) faults.push({ path: place, message: messageOf(link) })
    }
  })
  return faults
}

function eachStep(value: unknown, path: string, onStep: (step: Record<string, unknown>, path: string) => void): void {
  if (Array.isArray(value)) {
    for (const [place, inner] of value.entries()) eachStep(inner, `${path}[${place}]`, onStep)
  } else if (isRecord(value)) {
    if (typeof value.type === 'string' && SENDS.has(value.type)) onStep(value, path)
    else for (const [key, inner] of Object.entries(value)) eachStep(inner, path === '' ? key : `${path}.${key}`, onStep)
  }
}

interface Refused {
  path: string
  link: string
}

function refusedOf(step: Record<string, unknown>, path: string, schemes: readonly string[]): Refused[] {
  const isRefused = (link: string) => !isPrinted(link) && safeLink(link, schemes) === null
  const single = [
    { at: `${path}.link`, link: step.link },
    ...itemsOf(step.actions).map((action, place) => ({ at: `${path}.actions[${place}].link`, link: action.link })),
  ]
  const refused = single.flatMap(({ at, link }) => (isText(link) && isRefused(link) ? [{ path: at, link }] : []))
  const { imageUrl } = step
  if (isText(imageUrl) && !isPrinted(imageUrl) && !isImage(imageUrl))
    refused.push({ path: `${path}.imageUrl`, link: imageUrl })
  const hasMarkdown = step.bodyFormat === 'markdown'
  const texts = [{ at: path, texts: step }, ...localesOf(step, path)]
  for (const { at, texts: written } of texts) {
    const markdown = [
      ['markdown', written.markdown],
      ['body', hasMarkdown ? written.body : undefined],
    ] as const
    for (const [name, text] of markdown) {
      const links = isText(text) ? listDestinations(text).filter(isRefused) : []
      refused.push(...links.map((link) => ({ path: `${at}.${name}`, link })))
    }
    const links = isText(written.html) ? listRefused(written.html, schemes).filter((link) => !isPrinted(link)) : []
    refused.push(...links.map((link) => ({ path: `${at}.html`, link })))
  }
  return refused
}

function localesOf({ locales }: Record<string, unknown>, path: string) {
  if (!isRecord(locales)) return []
  return Object.entries(locales).flatMap(([locale, texts]) =>
    isRecord(texts) ? [{ at: `${path}.locales.${locale}`, texts }] : [],
  )
}

const itemsOf = (list: unknown) => (Array.isArray(list) ? list.filter(isRecord) : [])
/** An empty one means no link. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
/** A value decides where it leads. */
const isPrinted = (link: string) => link.includes('{{') || link.includes('{%')

function isImage(value: string): boolean {
  const link = safeLink(value)
  return link !== null && isImageLink(link)
}

function messageOf(link: string): string {
  const shown = link.length > SHOWN_CHARS ? `${link.slice(0, SHOWN_CHARS)}…` : link
  return `This link is not allowed: ${JSON.stringify(shown)}. Links are https, http, mailto, tel, sms, a path such as /orders or a #section; an environment may allow schemes of apps (appSchemes).`
}
