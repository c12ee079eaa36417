/// The version of all programs: they are made and released together.
public enum Release {
    public static let version = "0.1.0"
}
