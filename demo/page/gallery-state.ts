// Shows one state of the element at `/gallery/<name>`: creates a user, signs in, and brings the state about.

import { backend, explain } from './backend.ts'
import { byId } from './dom.ts'
import { FEW } from './gallery/inbox.ts'
import { SCENES, type Scene } from './gallery/scenes.ts'
import { type Center, createStage, send } from './gallery/stage.ts'

const LOOKS = ['theme', 'dir', 'locale'] as const
const ELSEWHERE = new URLSearchParams(location.search)

async function start(): Promise<void> {
  const name = location.pathname.split('/').at(-1)
  const scene = SCENES.find((one) => one.name === name)
  if (scene === undefined) throw new Error('The gallery has no such state.')
  document.title = `${scene.title} · Gallery`
  document.documentElement.dataset.theme = seen('theme', scene)
  if (seen('dir', scene) === 'rtl') document.documentElement.dir = 'rtl'
  // `randomUUID` is missing from pages without HTTPS.
  const userId = `u_gallery-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  await send(userId, scene.inbox ?? FEW)
  await customElements.whenDefined('notification-center')
  const center = document.createElement('notification-center') as Center
  for (const [name, value] of Object.entries(scene.attributes ?? {})) center.setAttribute(name, value)
  for (const look of LOOKS) if (ELSEWHERE.has(look)) center.setAttribute(look, seen(look, scene))
  const stage = createStage(center, userId)
  scene.before?.(stage)
  await signIn(center, scene, userId)
  await scene.act?.(stage)
}

/** Returns an attribute: the page's value takes precedence over the state's. */
const seen = (look: (typeof LOOKS)[number], scene: Scene): string =>
  ELSEWHERE.get(look) ?? scene.attributes?.[look] ?? ''

/** Adds the element to the page and waits until it has signed in, or never will. */
async function signIn(center: Center, scene: Scene, userId: string): Promise<void> {
  const config = await backend.config()
  if (!config.ok) throw new Error(explain(config as never))
  const mint = async () => (await backend.token({ environment: 'dev', strategy: 'backendToken', userId })).body
  const hangs = new Promise<never>(() => {})
  const wrong = { userId, token: '0'.repeat(64) }
  const tokenProvider = scene.sign === 'never' ? () => hangs : scene.sign === 'wrongly' ? async () => wrong : mint
  Object.assign(center, { apiKey: config.body.environments.dev.apiKey, userId, tokenProvider })
  const isInline = center.getAttribute('mode') === 'inline'
  const ready = new Promise<void>((resolve) => {
    for (const word of ['nc-ready', 'nc-error']) center.addEventListener(word, () => resolve(), { once: true })
  })
  byId(isInline ? 'place' : 'bell').append(center)
  if (scene.sign !== 'never') await ready
}

const setState = (state: string): void => document.documentElement.setAttribute('data-scene', state)
start().then(
  () => setState('there'),
  (error: unknown) => {
    byId('place').textContent = error instanceof Error ? error.message : String(error)
    setState('failed')
  },
)
