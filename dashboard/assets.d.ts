// Declares the imports that Vite resolves: the address of a file, and styles.

declare module '*.svg?url' {
  const address: string
  export default address
}
declare module '*.css'
