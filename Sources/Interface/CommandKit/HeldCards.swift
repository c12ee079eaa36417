import Presentation

/// Cards that were not printed, because a screen shows them together with the question.
final class HeldCards {
    var items: [ReviewDocument.Item] = []
    var isNumbered = true
    var wereReviewed = false
}
