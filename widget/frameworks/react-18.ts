// `import { NotificationCenterTag } from '@notification-center/widget/react-18'`: the tag as a component of React 18, which by
// itself sets attributes alone. This sets properties and listens to events, as React 19 does for each custom element.

import {
  createElement,
  type ForwardedRef,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import type { NotificationCenter } from '../elements/notification-center.ts'
import type {
  NotificationCenterAttributes,
  NotificationCenterListeners,
  NotificationCenterProperties,
} from '../elements/tag.ts'

/** Attributes, properties and listeners of the element; of those that each tag has, `id`, `class` or `className`, `slot` and `style`. */
export type NotificationCenterTagProps = NotificationCenterAttributes &
  NotificationCenterProperties &
  NotificationCenterListeners & { id?: string; class?: string; className?: string; slot?: string; style?: object }

const PROPERTIES: Record<keyof NotificationCenterProperties, true> = {
  apiKey: true,
  userId: true,
  authType: true,
  baseUrl: true,
  tokenProvider: true,
  renderRow: true,
  texts: true,
}
const isProperty = (name: string): boolean => Object.hasOwn(PROPERTIES, name)
const isListener = (name: string): boolean => name.startsWith('onnc-')
/** On a server nothing is drawn, and React warns of effects before drawing. */
const useBeforeDrawing = typeof document === 'undefined' ? useEffect : useLayoutEffect

function renderTag(props: NotificationCenterTagProps, ref: ForwardedRef<NotificationCenter>) {
  const own = useRef<NotificationCenter>(null)
  const former = useRef<string[]>([])
  const all = Object.entries(props)
  useImperativeHandle(ref, () => own.current as NotificationCenter)
  useBeforeDrawing(() => {
    const element = own.current as NotificationCenter
    const properties = all.filter(([name]) => isProperty(name))
    // What was given at the last render and is left out now goes back to its default.
    const leftOut = former.current.map((name) => [name, undefined])
    Object.assign(element, Object.fromEntries([...leftOut, ...properties]))
    former.current = properties.map(([name]) => name)
    const listeners = all.filter(([name, value]) => isListener(name) && value !== undefined)
    for (const [name, listener] of listeners) element.addEventListener(name.slice(2), listener)
    return () => {
      for (const [name, listener] of listeners) element.removeEventListener(name.slice(2), listener)
    }
  })
  const attributes = all.filter(([name, value]) => !isProperty(name) && !isListener(name) && value !== undefined)
  // React 18 writes `true` and `false` as texts, and each of them would be on; and `className` as it is.
  const written = attributes
    .filter(([, value]) => value !== false)
    .map(([name, value]) => [name === 'className' ? 'class' : name, value === true ? '' : value])
  return createElement('notification-center', { ...Object.fromEntries(written), ref: own })
}

/** Its `ref` is the element. */
export const NotificationCenterTag = forwardRef(renderTag)
