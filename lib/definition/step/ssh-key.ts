/** The `key` of ssh settings is a path, or the text of a private key. */
export const isKeyText = (key: string): boolean => key.includes('PRIVATE KEY')
