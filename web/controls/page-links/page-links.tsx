interface Props {
  readonly page: number
  readonly pages: number
  /** The total number of items, and where this page begins and ends, from 1. */
  readonly total: number
  readonly first: number
  readonly last: number
  readonly hrefOf: (page: number) => string
}

/** Links to the other pages of a long list; nothing for a single page. */
export function PageLinks({ page, pages, total, first, last, hrefOf }: Props) {
  if (pages <= 1) return null
  return (
    <nav class="page-links" aria-label="Pages">
      {page > 1 && (
        <a class="page-links-link" href={hrefOf(page - 1)} rel="prev">
          Previous
        </a>
      )}
      <span class="quiet">
        {first.toLocaleString('en')} to {last.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
      {page < pages && (
        <a class="page-links-link" href={hrefOf(page + 1)} rel="next">
          Next
        </a>
      )}
    </nav>
  )
}
