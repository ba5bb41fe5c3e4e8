// Sounds two soft notes for an arrival, in one of the tabs that hear of it.

/** How long an audio device may take to start, how long a chime lasts, and by how much later than others a tab may hear of an arrival. */
const [STARTS_MS, CHIME_MS, LATE_MS] = [2000, 1000, 20_000]
const LOCK = 'notification-center-chime'

/** All tabs hear of an arrival, and all elements of a page: one of those that may makes the sound. */
export async function chimeOnce(id = ''): Promise<void> {
  try {
    const audio = new AudioContext()
    // Refused until there was a gesture, it waits for one.
    await Promise.race([audio.resume(), wait(STARTS_MS)])
    const chimes = async (lock: unknown): Promise<void> => {
      if (lock === null || (lock && !(await isFirst(id)))) return
      chime(audio)
      await wait(CHIME_MS)
    }
    // One that may not begin stands in nobody's way.
    if (audio.state === 'running') {
      // Refused in a sandboxed frame.
      const inTurn = navigator.locks?.request(LOCK, { ifAvailable: true }, chimes)
      await (inTurn ?? chimes(undefined)).catch(() => chimes(undefined))
    }
    await audio.close()
  } catch {
    // No sound here; the badge has shown it already.
  }
}

/** A tab that hears of it late may not. */
const isFirst = (id: string): Promise<boolean> =>
  new Promise((resolve) => {
    const keep = async (lock: unknown): Promise<void> => {
      resolve(lock !== null)
      if (lock) await wait(LATE_MS)
    }
    void navigator.locks.request(LOCK + id, { ifAvailable: true }, keep)
  })

const wait = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))

/** Two soft notes. */
function chime(audio: AudioContext): void {
  const volume = new GainNode(audio, { gain: 0 })
  const tone = new OscillatorNode(audio, { type: 'sine', frequency: 660 })
  const { currentTime: start } = audio
  tone.frequency.setValueAtTime(880, start + 0.11)
  volume.gain.linearRampToValueAtTime(0.09, start + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.45)
  tone.connect(volume).connect(audio.destination)
  tone.start()
  tone.stop(start + 0.5)
}
