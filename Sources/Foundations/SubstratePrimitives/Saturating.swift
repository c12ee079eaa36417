extension FixedWidthInteger where Self: UnsignedInteger {
    /// The sum, or the largest number.
    public func addingSaturating(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
